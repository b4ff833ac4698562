// Whether the limits of [exc] are in force: as exc reports them, or, without exc, as they would be.
import type { Check } from '@zee/core/checks'
import { askService } from '../client/client.ts'
import type { ServiceContext } from '../service/service.ts'
import { loadChecks } from '../services/services.ts'
import { isMessage } from '../wire/wire.ts'

const deadlineMs = 3000

export async function checkSandbox(context: ServiceContext): Promise<Check> {
  const id = 'sandbox'
  const { exc } = context.config
  const isAsked = !exc.network || exc.write !== undefined
  const isolation = await isolationName(context)
  if (isolation !== undefined) return { id, status: 'ok', message: `${isolation} isolates scripts` }
  if (!isAsked) {
    const message = 'scripts may do what you may: [exc] sets no network or write limit'
    return { id, status: 'ok', message }
  }
  const message = '[exc] network and write are not in force'
  const advice = 'install bubblewrap, or allow unprivileged user namespaces'
  return { id, status: 'blocked', message, advice }
}

async function isolationName(context: ServiceContext): Promise<string | undefined> {
  const report = await reportOfExc(context).catch(() => reportHere(context))
  return typeof report.isolation === 'string' ? report.isolation : undefined
}

async function reportOfExc({ config }: ServiceContext): Promise<Readonly<Record<string, unknown>>> {
  const { sandbox } = await askService(config.exc.socket, { type: 'capabilities' }, { deadlineMs })
  return isMessage(sandbox) ? sandbox : {}
}

async function reportHere({ config, env, log }: ServiceContext): Promise<{ isolation: unknown }> {
  const openSandbox = await loadChecks.sandbox()
  const { report } = await openSandbox(config.exc, { PATH: env.PATH }, log)
  return report
}
