/** A rule for oxlint (fences.config.mjs): nobody states by hand what the rows of a query are. */
const MESSAGE =
  'the type of a row comes from the schema: write the query with Kysely, or send it through prepared, preparedArrays or checkedRows of infra/sql.ts';

/** Rows of unknown values assert nothing. */
const isUnknown = ({ type, elementType }) =>
  type === 'TSUnknownKeyword' || (type === 'TSArrayType' && elementType.type === 'TSUnknownKeyword');

const assertedRows = {
  create: (context) => ({
    CallExpression({ callee, typeArguments }) {
      const [row] = typeArguments?.params ?? [];
      if (callee.type === 'MemberExpression' && callee.property.name === 'query' && row && !isUnknown(row))
        context.report({ message: MESSAGE, node: row });
    },
  }),
};

export default { meta: { name: 'unitcell' }, rules: { 'asserted-rows': assertedRows } };
