// `zee doctor`: prints the checks; exits 1 when something blocks.
import { printChecks } from '@zee/core/checks'
import type { Host } from '@zee/core/exit'
import { findPlaces } from '../places/places.ts'
import { runChecks } from './checks.ts'

export async function runDoctor({ json }: { json: boolean }, host: Host): Promise<number> {
  return printChecks(await runChecks(findPlaces(host), host), { json }, host)
}
