/** The GGUF container, version 3: key-value pairs, then tensors. Only the types that a scripted model needs. */

export type Value =
  | { u32: number }
  | { f32: number }
  | { text: string }
  | { bool: boolean }
  | { texts: readonly string[] }
  | { ints: readonly number[] }

export interface Tensor {
  name: string
  /** The innermost first. */
  dimensions: readonly number[]
  data: Float32Array | Half
}

/** 16-bit floats, as their bits. */
export class Half extends Uint16Array {}

const ALIGNMENT = 32
const F32 = 0
const F16 = 1

/** The file's bytes in order. */
export function ggufFile(values: Readonly<Record<string, Value>>, tensors: readonly Tensor[]): Buffer[] {
  const pairs = Object.entries(values).map(([key, value]) => Buffer.concat([text(key), typed(value)]))
  const infos: Buffer[] = []
  const data: Buffer[] = []
  let offset = 0
  for (const tensor of tensors) {
    const { dimensions, name } = tensor
    const type = tensor.data instanceof Half ? F16 : F32
    infos.push(text(name), u32(dimensions.length), ...dimensions.map(u64), u32(type), u64(offset))
    const bytes = Buffer.from(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength)
    data.push(bytes, padding(bytes.length))
    offset += bytes.length + padding(bytes.length).length
  }
  const counts = [u64(tensors.length), u64(pairs.length)]
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), ...counts, ...pairs, ...infos])
  return [head, padding(head.length), ...data]
}

function typed(value: Value): Buffer {
  if ('u32' in value) return Buffer.concat([u32(4), u32(value.u32)])
  if ('f32' in value) return Buffer.concat([u32(6), f32(value.f32)])
  if ('bool' in value) return Buffer.concat([u32(7), Buffer.from([value.bool ? 1 : 0])])
  if ('text' in value) return Buffer.concat([u32(8), text(value.text)])
  if ('texts' in value) return list(8, value.texts.map(text))
  return list(5, value.ints.map(u32))
}

const list = (type: number, items: readonly Buffer[]): Buffer =>
  Buffer.concat([u32(9), u32(type), u64(items.length), ...items])

const padding = (length: number): Buffer => Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT)

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

/** Cut, not rounded; what is too small becomes zero. */
export function halves(values: Float32Array): Half {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const half = new Half(values.length)
  for (let index = 0; index < bits.length; index++) {
    const wide = bits[index] ?? 0
    const exponent = ((wide >>> 23) & 0xff) - 112
    const sign = (wide >>> 16) & 0x8000
    if (exponent > 0) half[index] = sign | Math.min(0x7c00, (exponent << 10) | ((wide >>> 13) & 0x3ff))
    else half[index] = sign
  }
  return half
}
