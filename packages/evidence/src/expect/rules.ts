// Reads rules about meaning from a separate file: default rules, rules by mission, or a suite.
import { kebabId } from '@zee/core/ids'
import * as z from 'zod/mini'
import { evidenceError } from '../errors/errors.ts'
import { findMission, normaliseSuite, semanticSchema } from '../suite/suite.ts'
import type { SemanticExpectations } from '../suite/suite.ts'
import { isObject } from '@zee/core/json'

/** Returns the rules of a mission, or undefined. */
export type SemanticRules = (missionId: string) => SemanticExpectations | undefined

/** Reads `{default?, missions?: {<missionId>: rules}}`, or a suite. Errors start with `name`. */
export function readSemanticRules(value: unknown, name: string): SemanticRules {
  if (!isObject(value)) throw invalidRules(name, 'the rules must be an object')
  if (Array.isArray(value.missions)) {
    const suite = normaliseSuite(value, name)
    return (missionId) => findMission(suite, missionId)?.expects?.semantic
  }
  const unknown = Object.keys(value).find(
    (key) => !['schemaVersion', 'default', 'missions'].includes(key) && !key.startsWith('x-'),
  )
  if (unknown !== undefined) throw invalidRules(name, `unknown key ${unknown}`)
  const { schemaVersion = 1, missions = {} } = value
  if (schemaVersion !== 1) throw invalidRules(name, 'schemaVersion is not 1')
  if (!isObject(missions))
    throw invalidRules(name, 'missions must be an object of rules by mission id')
  const defaultRules =
    value.default === undefined ? undefined : rulesOf(value.default, name, 'default')
  const byMission = new Map(
    Object.entries(missions).map(([id, rules]) => [kebabId(id), rulesOf(rules, name, id)]),
  )
  return (missionId) => byMission.get(missionId) ?? defaultRules
}

function rulesOf(value: unknown, name: string, key: string): SemanticExpectations {
  const read = z.safeParse(semanticSchema, value)
  if (read.success) return read.data
  throw invalidRules(name, `${key}.${read.error.issues[0]?.path.join('.') ?? ''} is not valid`)
}

function invalidRules(name: string, what: string): Error {
  return evidenceError('ZCL_E_SEMANTIC', `${name}: ${what}`)
}
