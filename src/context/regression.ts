/**
 * Learns the weights of a sum from its results, one at a time: recursive least squares with a starting belief, which is
 * held the more firmly the smaller its deviation. A result far from what was expected counts little. Pure arithmetic.
 */
export interface Belief {
  /** What the weight is taken to be before anything was seen, and how far off that may be (one standard deviation). */
  mean: number
  deviation: number
  /** It is never believed more firmly than this, so that it can still follow. */
  firmest: number
  /** The weight stays within these. */
  least: number
  most: number
}

/** Beyond this many standard deviations a result is taken to be an accident, and counts accordingly less. */
const believable = 4

export class Regression {
  readonly #beliefs: readonly Belief[]
  readonly #weights: number[]
  /** Covariance of the weights. */
  readonly #spread: number[][]

  constructor(beliefs: readonly Belief[]) {
    this.#beliefs = beliefs
    this.#weights = beliefs.map(({ mean }) => mean)
    this.#spread = beliefs.map(({ deviation }, row) =>
      beliefs.map((_, column) => (row === column ? deviation ** 2 : 0)),
    )
  }

  /** The weights as they are believed now, with their standard deviations. */
  get learned(): { mean: number; deviation: number }[] {
    return this.#weights.map((mean, index) => ({ mean, deviation: Math.sqrt(this.#spread[index]![index]!) }))
  }

  predict(parts: readonly number[]): number {
    return dot(parts, this.#weights)
  }

  /** Variance of the prediction that comes from not knowing the weights well. */
  variance(parts: readonly number[]): number {
    return Math.max(0, dot(parts, this.#reach(parts)))
  }

  /** `noise`: the variance that the result would have though the weights were known. */
  learn(parts: readonly number[], result: number, noise: number): void {
    const reach = this.#reach(parts)
    const error = result - this.predict(parts)
    const expected = Math.max(0, dot(parts, reach)) + noise
    const accident = Math.max(0, error ** 2 / believable ** 2 - expected)
    const variance = expected + accident
    if (variance <= 0) return
    for (const [row, gain] of reach.entries()) {
      const { least, most } = this.#beliefs[row]!
      const weight = this.#weights[row]! + (gain / variance) * error
      this.#weights[row] = Math.min(most, Math.max(least, weight))
      const spread = this.#spread[row]!
      for (const [column, other] of reach.entries()) spread[column]! -= (gain * other) / variance
      spread[row] = Math.max(spread[row]!, this.#beliefs[row]!.firmest ** 2)
    }
  }

  /** Spread times parts: how each weight hangs together with this prediction. */
  #reach(parts: readonly number[]): number[] {
    return this.#spread.map(row => dot(row, parts))
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
