// `zino doctor`: checks everything that zino needs; exits 1 when something fails.
import { printChecks } from '@zee/core/checks'
import type { Host } from '@zee/core/exit'
import { runChecks } from './doctor.ts'

export interface DoctorCall {
  config: string | undefined
  json: boolean
}

export async function runDoctor(call: DoctorCall, host: Host): Promise<number> {
  return printChecks(await runChecks(call.config, host), call, host)
}
