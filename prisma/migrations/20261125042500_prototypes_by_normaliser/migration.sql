-- Prototypes are now named by the origin and axes of the normaliser: the worker makes them again.
DELETE FROM "structure_arrangement";
