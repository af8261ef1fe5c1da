/** Which addresses belong to the public internet: everything that is known to be nearer is none of the model's business. */
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const NEAR_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // A cloud answers its machines here.
  '168.63.129.16/32',
]

/** Only 2000::/3 is given out. Of it these are for tunnels, which hold an address of the other kind, and for examples. */
const FAR_6 = '2000::/3'
const NEAR_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

type Family = 'ipv4' | 'ipv6'
function listOf(subnets: readonly string[], family: Family): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Whether an address, however it is written, lies in the public internet and is none of this machine's own. */
export function publicAddresses(): (address: string) => boolean {
  const near4 = listOf(NEAR_4, 'ipv4')
  const far6 = listOf([FAR_6], 'ipv6')
  const near6 = listOf(NEAR_6, 'ipv6')
  const own = new Set(Object.values(networkInterfaces()).flatMap(all => all?.map(({ address }) => address)))
  return address => {
    if (own.has(address)) return false
    const kind = isIP(address)
    if (kind === 4) return !near4.check(address, 'ipv4')
    return kind === 6 && far6.check(address, 'ipv6') && !near6.check(address, 'ipv6')
  }
}
