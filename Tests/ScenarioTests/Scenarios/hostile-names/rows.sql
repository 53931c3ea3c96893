INSERT INTO public."order" ("select", "naïve 😀") VALUES ('1', 2);
