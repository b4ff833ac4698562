// `zee doctor`: prints the checks; exits 1 when something blocks.
import { printChecks } from '@zee/core/checks'
import type { Host } from '@zee/core/exit'
import { findPlaces, projectPlaces, sessionFolders, type Places } from '../places/places.ts'
import { runChecks } from './checks.ts'

export async function runDoctor({ json }: { json: boolean }, host: Host): Promise<number> {
  return printChecks(await runChecks(placesOrNone(host), host), { json }, host)
}

/** A sessions folder that cannot be listed is one of the things that the doctor reports. */
function placesOrNone(host: Host): Places {
  try {
    return findPlaces(host)
  } catch {
    return { ...sessionFolders(host), sessions: [], ...projectPlaces(host, []) }
  }
}
