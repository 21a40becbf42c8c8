/**
 * A rule for oxlint (fences.config.mjs): query row types must come from the schema, not be asserted by hand.
 */
const MESSAGE =
  'the type of a row comes from the schema: write the query with Kysely, or send it through prepared, preparedArrays or checkedRows of infra/sql.ts';

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
