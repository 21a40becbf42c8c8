import {
  materialBandsJson,
  materialCif,
  materialJson,
  materialPoscar,
  materialXrdCsv,
  materialXyz,
} from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveFile } from '../../http/serve-file.ts';
import type { MaterialFiles } from './files.service.ts';

export function filesRoutes(app: FastifyInstance, files: MaterialFiles): void {
  serveFile(app, materialCif, ({ structId, query }) => files.cif(structId, query.cell, query.symmetry));
  serveFile(app, materialPoscar, ({ structId, query }) => files.poscar(structId, query.cell));
  serveFile(app, materialXyz, ({ structId, query }) => files.xyz(structId, query.cell));
  serveFile(app, materialJson, ({ structId, query }) => files.json(structId, query.cell));
  serveFile(app, materialBandsJson, ({ structId }) => files.bandsJson(structId));
  serveFile(app, materialXrdCsv, ({ structId, query, asker }) =>
    files.xrdCsv(asker, structId, query, query.of),
  );
}
