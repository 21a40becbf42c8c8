-- Ids of imported materials that come without one, and of Run4U results (decisions.md: from 2000000001 up).
-- The Prisma schema cannot say sequences; nothing else depends on them.
CREATE SEQUENCE material_struct_id AS integer START 100001 MAXVALUE 1999999999;
CREATE SEQUENCE run4u_struct_id AS integer START 2000000001;
