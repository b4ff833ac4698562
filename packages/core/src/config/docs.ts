// Generates a JSON Schema file for editors and a Markdown table for the docs. `npm run check` compares
// both with the committed files.
import * as z from 'zod/mini'
import { settingMeta, type ConfigDefinition } from './definition.ts'
import { expectation, schemaNode } from './expectation.ts'
import { shapeOf, type Shape } from './shape.ts'

/** JSON Schema (2020-12) of the config file, with keys in the order of the schema. */
export function configJsonSchema(definition: ConfigDefinition): Record<string, unknown> {
  const { $schema, ...rules } = z.toJSONSchema(definition.schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    metadata: settingMeta,
    override: ({ jsonSchema }) => {
      const node = jsonSchema as Record<string, unknown>
      if (node.example !== undefined) node.examples = [node.example]
      if (node.secret === true) node.writeOnly = true
      for (const name of ['example', 'commented', 'secret']) delete node[name]
    },
  })
  return { $schema, title: definition.title, ...rules }
}

/** A Markdown table with key, type, default and meaning of each key. */
export function configTable(definition: ConfigDefinition): string {
  const rows = keyRows(shapeOf(definition.schema), '', definition.format)
  const lines = [['key', 'type', 'default', 'meaning'], ['---', '---', '---', '---'], ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function keyRows(shape: Shape, name: string, format: ConfigDefinition['format']): string[][] {
  if (shape.kind === 'table') {
    return [...shape.keys].flatMap(([key, inner]) =>
      keyRows(inner, name === '' ? key : `${name}.${key}`, format),
    )
  }
  const rows = [
    [code(name), cell(typeText(shape, format)), defaultText(shape), cell(shape.meta.description)],
  ]
  if (shape.kind === 'list' && shape.item.kind === 'table') {
    rows.push(...keyRows(shape.item, `${name}[]`, format))
  }
  if (shape.kind === 'record' && shape.item.kind === 'table') {
    rows.push(...keyRows(shape.item, `${name}.<name>`, format))
  }
  return rows
}

function typeText(shape: Shape, format: ConfigDefinition['format']): string {
  return expectation(schemaNode(shape.schema), format).replace(/^an? /, '')
}

function defaultText(shape: Shape): string {
  if (!shape.hasDefault) return shape.optional ? 'none' : 'required'
  return code(JSON.stringify(shape.default))
}

function code(text: string): string {
  return `\`${cell(text)}\``
}

/** Escapes the bar, which ends a cell. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
}
