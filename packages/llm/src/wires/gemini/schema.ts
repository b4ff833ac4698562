// Reduces a JSON Schema to the keys that Gemini accepts as `parameters` of a function. Gemini rejects a
// request with any other key there, for example `default`, `$schema` or `additionalProperties`. A schema
// that would lose types by this, for example one with `$ref`, is sent as `parametersJsonSchema` instead.
import { asList, asNumber, asRecord, asString, type JsonObject } from '../../json/json.ts'

const textKeys = ['title', 'description', 'pattern'] as const
const numberKeys = ['minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength'] as const
const typeNames = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const
const knownFormats = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double'])

export type GeminiSchema = Partial<Record<(typeof textKeys)[number], string>> &
  Partial<Record<(typeof numberKeys)[number], number>> & {
    type?: (typeof typeNames)[number]
    nullable?: true
    format?: string
    enum?: string[]
    required?: string[]
    properties?: Record<string, GeminiSchema>
    items?: GeminiSchema
    anyOf?: GeminiSchema[]
  }

/** Keys that can be dropped: they neither define nor restrict the type of an argument. */
const droppableKeys = ['default', '$schema', '$id', '$comment', 'examples', 'deprecated'] as const
const structureKeys = [
  'type',
  'format',
  'enum',
  'required',
  'properties',
  'items',
  'anyOf',
] as const
const plainKeys = new Set<string>([
  ...textKeys,
  ...numberKeys,
  ...droppableKeys,
  ...structureKeys,
  'additionalProperties',
])

/** Whether `geminiSchema` keeps every type of the schema. */
export function isPlainSchema(value: unknown): boolean {
  const schema = asRecord(value)
  if (schema === undefined) return false
  const { type, enum: choices, properties, items, anyOf, additionalProperties } = schema
  return (
    Object.keys(schema).every((key) => plainKeys.has(key)) &&
    (isPlainType(type) || (type === undefined && (Array.isArray(anyOf) || isTextList(choices)))) &&
    (choices === undefined || isTextList(choices)) &&
    (additionalProperties === undefined || typeof additionalProperties === 'boolean') &&
    (type !== 'object' || Object.keys(asRecord(properties) ?? {}).length > 0) &&
    (type !== 'array' || items !== undefined) &&
    (items === undefined || isPlainSchema(items)) &&
    Object.values(asRecord(properties) ?? {}).every(isPlainSchema) &&
    asList(anyOf).every(isPlainSchema)
  )
}

function isPlainType(type: unknown): boolean {
  if (!Array.isArray(type)) return typeNames.some((name) => name === type)
  return type.length <= 2 && type.filter((name) => name !== 'null').length === 1
}

function isTextList(choices: unknown): boolean {
  return Array.isArray(choices) && choices.length > 0 && choices.every(isString)
}

export function geminiSchema(schema: JsonObject): GeminiSchema {
  const format = asString(schema.format)
  const required = asList(schema.required).filter(isString)
  return {
    ...typeFields(schema.type),
    ...pickKeys(schema, textKeys, asString),
    ...pickKeys(schema, numberKeys, asNumber),
    ...(required.length > 0 ? { required } : {}),
    ...(format !== undefined && knownFormats.has(format) ? { format } : {}),
    ...enumFields(schema),
    ...nestedSchemas(schema),
  }
}

/** `["string", "null"]` becomes `nullable`. */
function typeFields(type: unknown): Pick<GeminiSchema, 'type' | 'nullable'> {
  const named = Array.isArray(type) ? asList(type) : [type]
  const types = typeNames.filter((name) => named.includes(name))
  if (types.length === 1) return { type: types[0]! }
  const [first, ...others] = types.filter((name) => name !== 'null')
  return {
    ...(first !== undefined && others.length === 0 ? { type: first } : {}),
    ...(types.includes('null') ? { nullable: true } : {}),
  }
}

function pickKeys<Key extends string, Value>(
  schema: JsonObject,
  keys: readonly Key[],
  read: (value: unknown) => Value | undefined,
): Partial<Record<Key, Value>> {
  const picked: Partial<Record<Key, Value>> = {}
  for (const key of keys) {
    const value = read(schema[key])
    if (value !== undefined) picked[key] = value
  }
  return picked
}

/** Gemini accepts only strings in an enum; other enums are dropped. */
function enumFields(schema: JsonObject): Pick<GeminiSchema, 'type' | 'enum'> {
  const values = schema.const === undefined ? asList(schema.enum) : [schema.const]
  const texts = values.filter(isString)
  if (texts.length === 0 || texts.length < values.length) return {}
  return { type: 'string', enum: texts }
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function nestedSchemas(schema: JsonObject): Pick<GeminiSchema, 'properties' | 'items' | 'anyOf'> {
  const properties = asRecord(schema.properties)
  const items = asRecord(schema.items)
  const choices = [...asList(schema.anyOf), ...asList(schema.oneOf)].flatMap((choice) => {
    const option = asRecord(choice)
    return option === undefined ? [] : [geminiSchema(option)]
  })
  return {
    ...(properties === undefined ? {} : { properties: propertySchemas(properties) }),
    ...(items === undefined ? {} : { items: geminiSchema(items) }),
    ...(choices.length > 0 ? { anyOf: choices } : {}),
  }
}

function propertySchemas(properties: JsonObject): Record<string, GeminiSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, geminiSchema(asRecord(inner) ?? {})]),
  )
}
