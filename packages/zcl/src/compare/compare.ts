// Option values of `zcl compare` and `zcl stats`, and their parsers. The command tree loads this file.
import { usageError } from '@zee/core/errors'

export const formats = ['text', 'json', 'markdown', 'junit'] as const
export type Format = (typeof formats)[number]

/** Verdicts that `--fail-on` can stop for. */
export const failOnValues = ['worse'] as const

/** Parses a number strictly between 0 and 1. */
export function parseShare(text: string): number {
  const value = /^0?\.\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value < 1) return value
  throw usageError(`'${text}' is not a number between 0 and 1, both excluded (such as 0.05)`)
}

/** Parses a number from 0 to 1; 0 allows nothing. */
export function parseLimit(text: string): number {
  const value = /^(?:0?\.\d{1,12}|[01](?:\.0{0,12})?)$/.test(text) ? Number(text) : Number.NaN
  if (value <= 1) return value
  throw usageError(`'${text}' is not a number between 0 and 1 (such as 0.05)`)
}

const maxKs = 32

/** Parses a list such as `1,2,5`; returns the numbers sorted and without duplicates. */
export function parseKs(text: string): number[] {
  const words = text.split(',').map((word) => word.trim())
  if (words.length > maxKs || !words.every((word) => /^[1-9]\d{0,5}$/.test(word))) {
    throw usageError(`'${text}' is not a list of at most ${maxKs} whole numbers above 0`)
  }
  return [...new Set(words.map(Number))].sort((a, b) => a - b)
}
