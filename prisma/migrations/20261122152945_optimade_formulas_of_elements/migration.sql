-- Of one element the reduced formula is its symbol and the anonymous one is A, whatever the catalogue calls its molecule (O2): proportions
-- are reduced to the smallest whole numbers (section 7.1 of the specification, 1.2). What an index on a function holds is made anew.

DROP INDEX material_optimade_reduced;
DROP INDEX material_optimade_anonymous;

CREATE OR REPLACE FUNCTION optimade_reduced(formula text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN count(*) = 1 THEN min(element) WHEN bool_and(amount = trunc(amount)) THEN
    string_agg(element || CASE WHEN amount = 1 THEN '' ELSE trim_scale(amount)::text END, '' ORDER BY element COLLATE "C")
  END FROM (
    SELECT part[1] AS element, coalesce(nullif(part[2], '')::numeric, 1) AS amount
    FROM regexp_matches(formula, '([A-Z][a-z]?)([0-9]*\.?[0-9]*)', 'g') AS part
  ) AS amounts
$$;

CREATE OR REPLACE FUNCTION optimade_anonymous(formula text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN count(*) = 1 THEN 'A' WHEN bool_and(amount = trunc(amount)) AND count(*) <= 26 THEN
    string_agg(chr(64 + place::int) || CASE WHEN amount = 1 THEN '' ELSE trim_scale(amount)::text END, '' ORDER BY place)
  END FROM (
    SELECT amount, row_number() OVER (ORDER BY amount DESC) AS place
    FROM regexp_matches(formula, '[A-Z][a-z]?([0-9]*\.?[0-9]*)', 'g') AS part,
      LATERAL (SELECT coalesce(nullif(part[1], '')::numeric, 1) AS amount) AS read
  ) AS ranked
$$;

CREATE INDEX material_optimade_reduced ON material (optimade_reduced(formula_reduced), struct_id);
CREATE INDEX material_optimade_anonymous ON material (optimade_anonymous(formula_reduced), struct_id);
