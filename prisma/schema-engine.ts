/**
 * Prisma's schema engine as WebAssembly, driven through adapter-pg: writes the SQL that changes a database to match
 * schema.prisma. Prisma's own `migrate dev` does the same with a binary from its download host, which is not reachable
 * from every network.
 *
 * The schema is compared with an empty scratch database to which the migrations were applied, so the engine needs
 * neither a shadow database nor bookkeeping, and reads only the catalogue.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const requireFromApi = createRequire(new URL('../apps/api/package.json', import.meta.url));
const requireFromAdapter = createRequire(requireFromApi.resolve('@prisma/adapter-pg'));

/** PostgreSQL's one-byte `"char"`, which the adapter cannot map, and `text`, which has the same form on the wire. */
const OID_CHAR = 18;
const OID_TEXT = 25;

interface Field {
  dataTypeID: number;
}
interface ResultSet {
  columnTypes: number[];
}
interface Adapter {
  performIO(query: unknown): Promise<{ fields: Field[] }>;
  queryRaw(query: unknown): Promise<ResultSet>;
  dispose(): Promise<void>;
}
interface AdapterFactory {
  connect(): Promise<Adapter>;
}
interface SchemaEngine {
  diff(input: unknown): Promise<{ exitCode: number; stdout: string | null }>;
}

/** Teaches an adapter the `"char"` columns of PostgreSQL's catalogue, which the engine reads. */
function readCharColumns(adapter: Adapter, characterType: number): Adapter {
  let charColumns: number[] = [];
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    charColumns = [];
    result.fields.forEach((field, column) => {
      if (field.dataTypeID !== OID_CHAR) return;
      charColumns.push(column);
      field.dataTypeID = OID_TEXT;
    });
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const column of charColumns) result.columnTypes[column] = characterType;
    return result;
  };
  return adapter;
}

/** Loads the WebAssembly engine for one database. */
async function openEngine(factory: object): Promise<SchemaEngine> {
  const module = requireFromApi.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings = await import(pathToFileURL(module).href);
  const wasm = readFileSync(module.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => process.stderr.write(`${text}\n`) },
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
}

/**
 * The SQL that leads from a database to a schema; empty when they agree.
 * @param url database that has the migrations applied, without `_prisma_migrations`
 * @param schemaPath path of schema.prisma
 */
export async function sqlFromDatabaseToSchema(url: string, schemaPath: string): Promise<string> {
  const { PrismaPg } = requireFromApi('@prisma/adapter-pg');
  const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } = requireFromAdapter(
    '@prisma/driver-adapter-utils',
  );
  const factory: AdapterFactory = new PrismaPg({ connectionString: url });
  const connect = factory.connect.bind(factory);
  const adapters: Adapter[] = [];
  factory.connect = async () => {
    const adapter = readCharColumns(await connect(), ColumnTypeEnum.Character);
    adapters.push(adapter);
    return adapter;
  };
  const engine = await openEngine(bindMigrationAwareSqlAdapterFactory(factory));
  try {
    const files = [{ path: schemaPath, content: readFileSync(schemaPath, 'utf8') }];
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      shadowDatabaseUrl: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 2 ? (stdout ?? '') : '';
  } finally {
    for (const adapter of adapters) await adapter.dispose();
  }
}
