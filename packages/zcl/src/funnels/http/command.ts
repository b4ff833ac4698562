// `zcl http proxy`: a transparent reverse proxy that records every exchange.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import type { AttemptContext } from '@zee/evidence/attempt'
import { printJson } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { serveVariable } from '../../served/served.ts'
import { openFunnelAttempt, timedOutExitCode } from '../attempt.ts'
import { serveUntilEnd } from '../serve-until-end.ts'
import { openTraceRecorder, type TraceRecorder } from '../trace/trace.ts'
import { faultsFor, injectSettings, randomFor, type InjectRule } from '../../faults/faults.ts'
import { listenText, proxyUrl, type ListenAddress, type Upstream } from '../funnels.ts'
import { ProxyServer, type EarlierAnswers } from './http.ts'

export interface HttpProxyOptions {
  upstream: Upstream
  listen: ListenAddress
  maxRequests: number | undefined
  inject: readonly InjectRule[]
  injectSeed: number | undefined
  /** Accept CONNECT for the upstream. */
  tls: boolean
  /** The folder of the attempt; the environment names it by default. */
  attempt: string | undefined
}

/** Time for active exchanges to finish after a signal. */
const signalGraceMs = 1000
/** In the folder of the attempt: the certificate that clients of `--tls` must trust. */
const authorityFile = 'http-ca.pem'

export async function runHttpProxy(options: HttpProxyOptions, host: Host): Promise<number> {
  const { context, leftMs } = await openFunnelAttempt(host, options.attempt)
  if (leftMs !== undefined && leftMs <= 0) {
    throw zclError('ZCL_E_TIMEOUT', 'the deadline of the attempt has passed; nothing was started')
  }
  const served = await openServedUpstream(options.upstream, context, host)
  const recorder = await openTraceRecorder(context, host)
  try {
    return await serve(options, { host, context, recorder, leftMs, connectTo: served?.upstream })
  } finally {
    await recorder.close()
    served?.close()
  }
}

interface Serving {
  host: Host
  context: AttemptContext
  recorder: TraceRecorder
  leftMs: number | undefined
  /** A stand-in that answers from a trace. */
  connectTo: Upstream | undefined
}

async function serve(options: HttpProxyOptions, serving: Serving): Promise<number> {
  const { host, context, recorder, leftMs, connectTo } = serving
  const settings = injectSettings(options, host.env)
  const { rules } = settings
  const random = randomFor(settings, context.identity.attemptId)
  const isStale = rules.some(({ fault }) => fault.kind === 'stale')
  const earlier: EarlierAnswers | undefined = isStale ? new Map() : undefined
  const ending = serveUntilEnd(leftMs)
  const authority = options.tls ? await openAuthority(context.folder, host) : undefined
  const server = new ProxyServer({
    upstream: options.upstream,
    connectTo,
    authority,
    listen: options.listen,
    clock: host.clock,
    maxRequests: options.maxRequests,
    begin: () => ({
      faults: faultsFor(rules, random),
      earlier,
      onEnd: (call) => recorder.record(call),
    }),
    onLast: () => ending.end('done'),
  })
  try {
    const address = await server.listen()
    printJson(host, {
      ok: true,
      listenAddr: listenText(address),
      proxyUrl: proxyUrl(address),
      upstream: options.upstream.origin + options.upstream.basePath,
      ...(authority === undefined ? {} : { caFile: path.join(context.folder, authorityFile) }),
    })
    if (options.maxRequests === 0) ending.end('done')
    const why = await ending.ended
    const code = why === 'deadline' ? 'ZCL_E_TIMEOUT' : 'HTTP_PROXY_ERROR'
    await server.close(why === 'signal' ? signalGraceMs : 0, code)
    if (why !== 'deadline') return 0
    host.stderr.write('ZCL_E_TIMEOUT: the deadline of the attempt ended the proxy\n')
    return timedOutExitCode
  } finally {
    ending.release()
  }
}

async function openAuthority(folder: string, { clock }: Host) {
  const { createAuthority } = await import('./tls/tls.ts')
  const authority = createAuthority(clock.now())
  await writeFileAtomic(path.join(folder, authorityFile), authority.certificate)
  return authority
}

/** In a fork, the upstream's answers come from a trace. */
async function openServedUpstream(upstream: Upstream, context: AttemptContext, host: Host) {
  const plan = host.env[serveVariable] ?? ''
  if (plan === '') return undefined
  const { servedUpstream } = await import('./serve-trace/serve-trace.ts')
  return servedUpstream(plan, upstream, context, host)
}
