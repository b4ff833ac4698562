// Values of options that only statistics have.
import { usageError } from '@zee/core/errors'

export const formats = ['text', 'json', 'markdown', 'junit'] as const
export type Format = (typeof formats)[number]

/** Strictly between 0 and 1. */
export function parseShare(text: string): number {
  const value = /^0?\.\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value < 1) return value
  throw usageError(`'${text}' is not a number between 0 and 1 (such as 0.05)`)
}

const maxKs = 32

/** `1,2,5`: whole numbers above 0, each once. */
export function parseKs(text: string): number[] {
  const words = text.split(',').map((word) => word.trim())
  if (words.length > maxKs || !words.every((word) => /^[1-9]\d{0,5}$/.test(word))) {
    throw usageError(`'${text}' is not a list of at most ${maxKs} whole numbers above 0`)
  }
  return [...new Set(words.map(Number))].sort((a, b) => a - b)
}
