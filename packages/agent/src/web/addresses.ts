// Tells public addresses from those of this machine and of private networks.
import { BlockList, isIP } from 'node:net'

const privateRanges: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
]

const blocked = new BlockList()
for (const [address, prefix] of privateRanges) {
  blocked.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Also for IPv4 addresses inside IPv6 ones; an unknown form counts as private. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  const version = isIP(plain)
  if (version === 0) return true
  return blocked.check(plain, version === 6 ? 'ipv6' : 'ipv4')
}
