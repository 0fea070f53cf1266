// A report's table. Fields with a shade are coloured from lost to won; the number says it as well.
import type { Cell, Table } from './types';

export function ReportTable({ table }: { table: Table }) {
  const matrix = table.rows.some(
    (row) => row.filter((cell) => cell.shade !== undefined).length > 1,
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={table.caption}>
      <table class={`figures report-table${matrix ? ' matrix' : ''}`}>
        <caption>{table.caption}</caption>
        <thead>
          <tr>
            {table.header.map((text, column) =>
              text === '' ? (
                <td key={column} />
              ) : (
                <th key={column} scope="col" class={column === 0 ? '' : 'n'}>
                  {text}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([head, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{head?.text}</th>
              {cells.map((cell, column) => (
                <Field key={column} cell={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Field({ cell }: { cell: Cell }) {
  if (cell.shade === undefined) return <td class="n">{cell.text}</td>;
  const much = Math.round(70 * Math.abs(cell.shade - 0.5));
  return (
    <td
      class={`n ${cell.shade >= 0.5 ? 'shade-won' : 'shade-lost'}`}
      style={{ '--much': `${much}%` }}
    >
      {cell.text}
    </td>
  );
}
