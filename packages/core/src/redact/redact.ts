// Removes secrets from text and JSON before it is stored or logged: marks that stay, or placeholders whose
// values can be put back.
export type { ExtraRule } from './extra-rules.ts'
export type { PlaceholderOptions, Placeholders } from './placeholders.ts'
export { createPlaceholders, lastPlaceholder } from './placeholders.ts'
export type { CutOptions, Redacted, RedactedCut, Redactor, RedactorOptions } from './redactor.ts'
export { createRedactor, redactionMargin } from './redactor.ts'
