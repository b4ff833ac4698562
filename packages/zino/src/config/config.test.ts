import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { put } from '../../test/config.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { findClientConfig, findConfig } from './config.ts'
import { defineZinoConfig, zinoConfig } from './schema.ts'

const sys = (template: string) => `[sys]\ntemplate = "${template}"\n`

describe('the configuration', () => {
  it('comes from --config, then $ZINO_CONFIG, then ./ZINO.toml, then the user folder', async () => {
    const folder = tempFolder()
    const requested = put(folder, 'given.toml', sys('given'))
    const named = put(folder, 'env.toml', sys('env'))
    put(folder, 'cwd/ZINO.toml', sys('cwd'))
    put(folder, 'xdg/zino/ZINO.toml', sys('xdg'))
    put(folder, 'home/.config/zino/ZINO.toml', sys('home'))
    const template = async (place: Parameters<typeof findConfig>[0]) =>
      path.basename((await findConfig(place)).config.sys.template)
    const cwd = `${folder}/cwd`
    const xdg = { XDG_CONFIG_HOME: `${folder}/xdg`, HOME: `${folder}/home` }
    expect(await template({ requested, env: { ZINO_CONFIG: named }, cwd })).toBe('given')
    expect(await template({ requested: '../given.toml', env: {}, cwd })).toBe('given')
    expect(await template({ env: { ZINO_CONFIG: named }, cwd })).toBe('env')
    expect(await template({ env: xdg, cwd })).toBe('cwd')
    expect(await template({ env: xdg, cwd: folder })).toBe('xdg')
    expect(await template({ env: { HOME: `${folder}/home` }, cwd: folder })).toBe('home')
  })

  it('must exist and be TOML; clients use the defaults without a file', async () => {
    const folder = tempFolder()
    const place = { env: { HOME: folder }, cwd: folder }
    await expect(findConfig(place)).rejects.toThrow(/no configuration/)
    await expect(findConfig({ ...place, requested: 'none.toml' })).rejects.toThrow(/none\.toml/)
    const broken = put(folder, 'broken.toml', '[sys\n')
    await expect(findConfig({ ...place, requested: broken })).rejects.toThrow(/broken\.toml:1/)
    const { config, file } = await findClientConfig(place)
    expect(file).toBeUndefined()
    expect(config.daemon.socket).toBe('/run/zino/daemon.sock')
    await expect(findClientConfig({ ...place, requested: broken })).rejects.toThrow(/broken/)
  })

  it.each(['[api]\nprovider = "antropic"\n', '[[rtr.fallback]]\nmodel = "m"\nprovider = "x"\n'])(
    'names the place of an unknown provider, before a service starts: %j',
    async (text) => {
      const requested = put(tempFolder(), 'ZINO.toml', text)
      await expect(findConfig({ requested, env: {}, cwd: '/' })).rejects.toThrow(
        /ZINO\.toml:\d: .*provider must be empty or one of anthropic, openai, .*script/,
      )
    },
  )

  it('resolves its files against the working folder of the caller, and leaves sockets as written', async () => {
    const cwd = tempFolder()
    put(cwd, 'at/ZINO.toml', '[daemon]\nsocket = "r/daemon.sock"\n[tools]\ndir = "/opt/tools"\n')
    const { config } = await findConfig({ requested: 'at/ZINO.toml', env: {}, cwd })
    expect(config).toMatchObject({
      daemon: { socket: 'r/daemon.sock' },
      mem: { data_dir: path.join(cwd, 'data/mem') },
      sys: { template: path.join(cwd, 'SYSTEM.md') },
      tools: { dir: '/opt/tools' },
      skills: { dir: path.join(cwd, 'skills') },
      tmr: { socket: 'r/tmr.sock' },
    })
  })

  it('has the documented defaults', () => {
    expect(zinoConfig.schema.parse({})).toMatchObject({
      api: { base_url: '', key: '' },
      service: { model: '' },
      daemon: { socket: '/run/zino/daemon.sock' },
      sys: {
        socket: '/run/zino/sys.sock',
        template: 'SYSTEM.md',
        personality: '',
        soft_memory: '',
      },
      rtr: { socket: '/run/zino/rtr.sock', streaming: true, fallback: [] },
      exc: { socket: '/run/zino/exc.sock', timeout: 30, network: true },
      mem: { socket: '/run/zino/mem.sock', data_dir: 'data/mem', ranking: 'recall' },
      ctx: { socket: '/run/zino/ctx.sock', history_limit: 50, hard_memory_top_k: 3 },
      agr: { socket: '/run/zino/agr.sock', max_iterations: 5 },
      tools: { dir: 'tools' },
      skills: { dir: 'skills' },
      logging: { level: 'INFO' },
    })
  })

  it('has the same keys whatever the installation defaults are', () => {
    const at = Object.fromEntries(
      ['sockets', 'template', 'tools', 'skills', 'dataDir', 'usageFile', 'logs'].map((key) => [
        key,
        `/x/${key}`,
      ]),
    )
    const model = { provider: 'ollama', baseUrl: 'u', model: 'm', script: '' }
    const other = defineZinoConfig({ ...at, ...model } as Parameters<typeof defineZinoConfig>[0])
    expect(Object.keys(other.schema.shape)).toEqual(Object.keys(zinoConfig.schema.shape))
    expect(other.schema.parse({}).rtr.socket).toBe('/x/sockets/rtr.sock')
  })
})
