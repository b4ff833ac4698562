// A table in a box that scrolls by keyboard when it is wider than its place. The first column names the row.
import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  name: ComponentChildren
  cell(row: Row): ComponentChildren
  /** Of the cells and of the heading: `num` aligns to the right, `wide` hides it in narrow windows. */
  class?: string
  /** Of the cells only. */
  cellClass?: string
  width?: string
}

export interface TableProps<Row> {
  label: string
  columns: readonly Column<NoInfer<Row>>[]
  rows: readonly Row[]
  rowKey(row: NoInfer<Row>, index: number): string | number
  rowClass?(row: NoInfer<Row>): string
}

export function Table<Row>({ label, columns, rows, rowKey, rowClass }: TableProps<Row>) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, class: className, width }, at) => (
              <th
                key={at}
                scope="col"
                class={className}
                style={width === undefined ? undefined : { width }}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row, index)} class={rowClass?.(row)}>
              {columns.map(({ cell, class: className = '', cellClass = '' }, at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={at} class={`${className} ${cellClass}`.trim()}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
