-- OPTIMADE asks for formulas and ratios that follow from `formula_reduced` by its rules (section 7.1 of the specification, 1.2).
-- They are functions with indexes on them, so that nothing is stored twice and materials of before answer at once. Each reads
-- the formula itself: while an index is made, functions of ours are not on the search path.

-- Elements by the alphabet, whole numbers, 1 left out: `Al2O3`. NULL where the amounts are no whole numbers.
CREATE FUNCTION optimade_reduced(formula text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN bool_and(amount = trunc(amount)) THEN
    string_agg(element || CASE WHEN amount = 1 THEN '' ELSE trim_scale(amount)::text END, '' ORDER BY element COLLATE "C")
  END FROM (
    SELECT part[1] AS element, coalesce(nullif(part[2], '')::numeric, 1) AS amount
    FROM regexp_matches(formula, '([A-Z][a-z]?)([0-9]*\.?[0-9]*)', 'g') AS part
  ) AS amounts
$$;

-- The largest amount is A: `A3B2`. 26 letters are enough for what one cell holds.
CREATE FUNCTION optimade_anonymous(formula text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN bool_and(amount = trunc(amount)) AND count(*) <= 26 THEN
    string_agg(chr(64 + place::int) || CASE WHEN amount = 1 THEN '' ELSE trim_scale(amount)::text END, '' ORDER BY place)
  END FROM (
    SELECT amount, row_number() OVER (ORDER BY amount DESC) AS place
    FROM regexp_matches(formula, '[A-Z][a-z]?([0-9]*\.?[0-9]*)', 'g') AS part,
      LATERAL (SELECT coalesce(nullif(part[1], '')::numeric, 1) AS amount) AS read
  ) AS ranked
$$;

-- In the order of the elements by the alphabet; they add up to 1.
CREATE FUNCTION optimade_ratios(formula text) RETURNS float8[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg((amount / total)::float8 ORDER BY element COLLATE "C")
  FROM (
    SELECT part[1] AS element, amount, sum(amount) OVER () AS total
    FROM regexp_matches(formula, '([A-Z][a-z]?)([0-9]*\.?[0-9]*)', 'g') AS part,
      LATERAL (SELECT coalesce(nullif(part[2], '')::numeric, 1) AS amount) AS read
  ) AS shares
$$;

CREATE INDEX material_optimade_reduced ON material (optimade_reduced(formula_reduced), struct_id);
CREATE INDEX material_optimade_anonymous ON material (optimade_anonymous(formula_reduced), struct_id);
CREATE INDEX material_id_text ON material ((struct_id::text));
