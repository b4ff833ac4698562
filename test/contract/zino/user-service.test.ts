// `zino service install|remove` of the built program, with a systemctl and a launchctl that record their calls.
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sandbox } from './sandbox.ts'

let box: Sandbox
beforeAll(() => {
  box = new Sandbox()
  for (const name of ['systemctl', 'launchctl']) {
    const fake = box.put(`bin/${name}`, '#!/bin/sh\necho "$@" >> "$CALLS"\n[ ! -e "$FAIL" ]\n')
    chmodSync(fake, 0o755)
  }
  box.env.PATH = `${box.at('bin')}:${process.env.PATH}`
  box.env.CALLS = box.at('calls')
  box.env.FAIL = box.at('fail')
})
afterAll(() => box.remove())

const service = (...args: string[]) => box.zino(['service', ...args, '--config', box.config])
const unit = () => box.at('home/.config/systemd/user/zino.service')
const calls = () => readFileSync(box.at('calls'), 'utf8')

it('zino service install writes a unit, which remove removes again', async () => {
  const ran = await service('install')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain(`wrote ${unit()}\nzino is running and starts when you log in\n`)
  const text = readFileSync(unit(), 'utf8')
  expect(text).toMatch(
    new RegExp(`^ExecStart=".*node" ".*zino.*" "up" "--config" "${box.config}"$`, 'm'),
  )
  expect(text).toContain(`WorkingDirectory=${box.folder}\n`)
  expect(text).not.toContain('sk-contract')
  expect(calls()).toBe('--user daemon-reload\n--user enable --now zino.service\n')
  expect(await service('install', '--print')).toMatchObject({ code: 0, stdout: text })
  expect(await service('remove')).toMatchObject({ code: 0, stdout: `removed ${unit()}\n` })
  expect(existsSync(unit())).toBe(false)
  expect(calls()).toContain('--user disable --now zino.service\n--user daemon-reload\n')
  expect(await service('remove')).toMatchObject({
    ...{ code: 0, stdout: 'zino is not installed as a service\n' },
  })
})

it('zino service install --manager launchd writes a launch agent, which remove removes again', async () => {
  rmSync(box.at('calls'), { force: true })
  const agent = box.at('home/Library/LaunchAgents/org.zee.zino.plist')
  const launchd = (verb: string) => service(verb, '--manager', 'launchd')
  const ran = await launchd('install')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toBe(`wrote ${agent}\nzino is running and starts when you log in\n`)
  expect(readFileSync(agent, 'utf8')).not.toContain('sk-contract')
  const session = `gui/${process.getuid?.()}`
  expect(calls()).toBe(`bootstrap ${session} ${agent}\n`)
  expect(await launchd('remove')).toMatchObject({ code: 0, stdout: `removed ${agent}\n` })
  expect(existsSync(agent)).toBe(false)
  expect(calls()).toContain(`bootout ${session}/org.zee.zino\n`)
})

it('zino service reports a failing manager and keeps a unit that zino did not write', async () => {
  box.put('fail', '')
  expect(await service('install')).toMatchObject({
    ...{ code: 1, stderr: "zino: 'systemctl --user daemon-reload' failed: exit 1\n" },
  })
  box.put('home/.config/systemd/user/zino.service', '[Unit]\n')
  for (const verb of ['install', 'remove']) {
    const ran = await service(verb)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(`${unit()} was not written by zino`)
  }
  expect(readFileSync(unit(), 'utf8')).toBe('[Unit]\n')
})
