export function time(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} 秒`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} 秒`
  const rest = seconds % 60
  return `${Math.floor(seconds / 60)} 分${rest === 0 ? '钟' : ` ${rest} 秒`}`
}

export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return '刚刚'
  if (minutes < 60) return `${minutes} 分钟前`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} 小时前` : `${Math.floor(hours / 24)} 天前`
}
