INSERT INTO public.tag (n) VALUES ('red');
