INSERT INTO public.product (user_id) VALUES ('u'), (NULL);
INSERT INTO public.add_on (title, product, _add_ons_position) VALUES ('b', 1, 1), ('a', 1, 0), ('c', 2, 0), ('d', NULL, NULL);
INSERT INTO public."order" DEFAULT VALUES;
INSERT INTO public.search_result (text) VALUES ('x'), ('y');
INSERT INTO public.order_search_results (orders, search_results) VALUES (1, 1), (1, 2);
