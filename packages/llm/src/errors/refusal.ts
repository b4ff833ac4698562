// Recognises which part of a request a provider refused, from the words of its 400. Gateways pass the
// words of another vendor on, sometimes as a JSON text inside their own JSON.
import { asRecord } from '../json/json.ts'
import { listedError, type ListedError } from './error-list.ts'
import type { ModelError } from './errors.ts'

export type Refusal =
  /** The model does not take these sampling parameters, or no values of them but its defaults. */
  | { kind: 'parameters'; names: readonly SamplingParameter[] }
  /** The model takes `temperature` or `top_p`, not both. */
  | { kind: 'sampling_pair' }
  /** The endpoint wants `max_completion_tokens` instead of `max_tokens`. */
  | { kind: 'max_tokens_field' }
  /** The conversation must not end with a message of the assistant. */
  | { kind: 'trailing_assistant' }
  /** No two messages in a row may have the same role. */
  | { kind: 'adjacent_roles' }

export type SamplingParameter = 'temperature' | 'top_p'

const parameters: readonly { name: SamplingParameter; pattern: RegExp }[] = [
  { name: 'temperature', pattern: /(?<!\w)temperature(?!\w)/i },
  { name: 'top_p', pattern: /(?<!\w)top_?p(?!\w)/i },
]
const unsupported =
  /unsupported|not support|not accept|deprecated|not permitted|not allowed|unknown|unrecognized|unexpected|only the default|only [\d.]+ is|may only be|fixed (?:at|to)|or unset|cannot be (?:set|specified|used)|not available|neither/i
const bothNamed =
  /\bboth\b|(?:only|exactly|at most|just) (?:use |set |send |specify )?one|together|at the same time|simultaneously|mutually exclusive|combin/i
/** Both are refused: "both are not supported", not "both are set". */
const neitherTaken =
  /\bneither\b|\bboth (?:un|not |deprecated)|\bboth\b[^.;]*\bare (?:both )?(?:un|not |deprecated)/i
/** "when top_p is set", "use temperature instead": names something that the model does take. */
const context =
  /\b(?:when|if|while|unless|because|since|with|without|beside|besides|alongside|instead of|in favou?r of|use|using|try|mean)\b[^,.;]*/gi
/** llama.cpp refuses only a second one: "Cannot have 2 or more assistant messages at the end of the list". */
const trailingAssistant =
  /pre-?fill|\bends? with an? ['"`]?user|expected last role|(?:last|final) message (?:is|must|cannot|role)|(?:last|final) (?:(?:message|role|turn)[^.]*\b)?assistant\b|assistant messages? at the end/i
const adjacentRoles =
  /\b(?:alternat(?:e|es|ing)|consecutive|in a row)\b[^.]*\b(?:user|assistant|roles?)\b|\b(?:user|assistant|roles?)\b[^.]*\b(?:alternat(?:e|es|ing)|in a row)\b/i
const tokenLimit = /(?<!\w)max_tokens(?!\w)/
const unsupportedField =
  /unsupported (?:parameter|field|argument)|\bis not (?:supported|permitted|allowed|accepted)|\b(?:does|do) not support|unknown|unrecognized|unexpected|extra inputs/i
/** The value is wrong, or missing, and not the parameter. */
const valueFault =
  /less[ _]than|greater[ _]than|between|range|valid (?:number|integer|float|decimal)|_parsing|_type|type_error|not_[gl][et]|finite|missing|required|at (?:least|most)/i
const maxNestedJson = 4

/** Undefined when the error says nothing of the kind. */
export function refusalOf(error: ModelError): Refusal | undefined {
  // Gateways answer with status 200 before their provider refuses.
  const isRefusal = error.status === 400 || error.status === 422 || error.kind === 'api_error'
  if (!isRefusal) return undefined
  const { texts, listed } = wordsOf(error.details ?? '')
  const refusals = [
    ...listed.map(refusalInList),
    ...[...texts, error.message].map(refusalInText),
  ].filter((refusal) => refusal !== undefined)
  const [first] = refusals
  if (first?.kind !== 'parameters') return first
  const named = refusals.flatMap((each) => (each.kind === 'parameters' ? each.names : []))
  return { kind: 'parameters', names: namesIn(named.join(' ')) }
}

function refusalInText(text: string): Refusal | undefined {
  const named = namesIn(text)
  if (named.length > 1 && bothNamed.test(text) && !neitherTaken.test(text)) {
    return { kind: 'sampling_pair' }
  }
  if (named.length > 0 && unsupported.test(text)) return refusalOfNamed(text, named)
  const isField = tokenLimit.test(text) && unsupportedField.test(text)
  if (isField || (text.includes('max_completion_tokens') && unsupported.test(text))) {
    return { kind: 'max_tokens_field' }
  }
  if (trailingAssistant.test(text)) return { kind: 'trailing_assistant' }
  return adjacentRoles.test(text) ? { kind: 'adjacent_roles' } : undefined
}

/** The parameters in the sentences that refuse something; others may be named as an alternative. */
function refusalOfNamed(text: string, named: readonly SamplingParameter[]): Refusal {
  const sentences = text.replace(context, '').split(/[.;\n](?=\s|$)/)
  const names = namesIn(sentences.filter((sentence) => unsupported.test(sentence)).join(' '))
  if (names.length > 0) return { kind: 'parameters', names }
  return named.length > 1 ? { kind: 'sampling_pair' } : { kind: 'parameters', names: named }
}

function refusalInList({ path, type, message }: ListedError): Refusal | undefined {
  if (valueFault.test(`${type} ${message}`)) return undefined
  const names = namesIn(path.join(' '))
  if (names.length > 0) return { kind: 'parameters', names }
  return path.at(-1) === 'max_tokens' ? { kind: 'max_tokens_field' } : undefined
}

function namesIn(text: string): SamplingParameter[] {
  return parameters.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name)
}

interface Words {
  texts: string[]
  listed: ListedError[]
}

/** Every text in a JSON document, those of JSON inside a text included; else the body itself. */
function wordsOf(body: string): Words {
  const words: Words = { texts: [], listed: [] }
  addWords(body, words, 0)
  return words
}

function addWords(body: string, words: Words, depth: number): void {
  const value = depth < maxNestedJson ? parsed(body) : undefined
  if (value === undefined) {
    if (body !== '') words.texts.push(body)
    return
  }
  const visit = (part: unknown): void => {
    const listed = listedError(part)
    // The rest of an entry repeats the request.
    if (listed !== undefined) words.listed.push(listed)
    else if (typeof part === 'string') addWords(part, words, depth + 1)
    else if (Array.isArray(part)) part.forEach(visit)
    else Object.values(asRecord(part) ?? {}).forEach(visit)
  }
  visit(value)
}

/** The object or list in a text; undefined for any other text. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
