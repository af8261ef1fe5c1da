/** A reply without a call that only says what comes next, or writes a command down instead of running it. Pure. */

export type Idle = { kind: 'promise' } | { kind: 'command'; command: string }

const opening =
  /^(?:(?:ok(?:ay)?|sure|first|now|next|then|great|alright|right|perfect|understood|to (?:do|start|begin|fix)[^,]*|so|and|but|finally)[,!:.]?\s+)*(?:i think\s+)?(?:let me|let's|let us|i['’]ll|i will|i am going to|i['’]m going to|i need to|i should|i'd like to|i can now|i am now|i['’]m now|now i)\s+(?:(?:now|first|then|next|also|quickly|just|start by|begin by|try to|need to|have to)\s+)*/i
const verb =
  /^(?:read|look|check|open|search|find|run|edit|fix|change|update|write|create|add|implement|examine|inspect|explore|start|begin|view|list|make|modify|analy[sz]e|investigate|test|apply|use|call|try|grep|execute|verify|remove|delete|rename|replace|refactor|see|get|fetch|go ahead|proceed|do (?:that|this|it)|take a look|review|continue|install|build|move|commit|show|locate|debug|print|scan|gather|retrieve|correct|adjust|rewrite|insert|append|set|(?:read|look|check|runn|edit|writ|creat|search|fix|open|updat)ing)\b/i
const chinese =
  /^(?:好的?|好吧|首先|现在|接下来|然后|那么|明白了?|没问题)?[，,。！!：: ]*(?:首先|现在|接下来|然后|先)?[，, ]*(?:让我们?|我来|我先|我将|我会|我现在|我要|我去|我需要|我们来|讓我|我來|我將|我會|我現在)(?:先|现在|再|来|去|将|会|開始|开始|需要|使用|用|首先|马上|立即|帮你|为你|为您|一下)*(?:看|读|查|打开|搜|运行|执行|修改|编辑|创建|写|添加|检|分析|修复|修正|更新|实现|测试|列|找|浏览|了解|调用|使用|删|重|替换|讀|開啟|執行|編輯|建立|修復|檢|實現|測試|尋找|继续|處理|处理|确认|获取)/u
const others =
  /^(?:(?:d'abord|maintenant|ensuite|primero|ahora|zuerst|jetzt|nun|prima|ora|agora|primeiro|сначала|сейчас|теперь|まず|では|次に)[,、]?\s*)*(?:je vais|laisse(?:z)?-moi|voy a|vamos a|déjame|permíteme|ich werde|lass mich|lassen sie mich|ich (?:lese|schaue|prüfe|öffne|führe|suche)|leggo|vado a|lasciami|vou|deixe-me|я (?:прочитаю|посмотрю|проверю|открою|запущу|исправлю|найду)|давайте я|дай(?:те)? мне|посмотрю|ファイルを(?:読|確認|開)|.{0,20}(?:します|しましょう|みます)[。:：]?$|.{0,24}(?:하겠습니다|보겠습니다|할게요)[.:：]?$)/iu

/** What a reply of text alone left undone; undefined: it may be an answer. */
export function idleIn(text: string): Idle | undefined {
  const said = text.trim()
  const command = lastCommand(said)
  if (command !== undefined) return { kind: 'command', command }
  const lines = said.split('\n').filter(line => line.trim() !== '')
  const last = plain(lines.at(-1) ?? '')
  if (last.length > 400 || /^[>|]/.test(last)) return undefined
  const sentence =
    last
      .split(/(?<=[.!])\s+|(?<=[。！])/u)
      .filter(Boolean)
      .at(-1) ?? ''
  if (/[?？]\s*$/.test(last) || /\blet me know\b|\byou\b.*\?/i.test(last)) return undefined
  if (/\b(?:if|once|when|after) you\b|如果你|如果您|请告诉我|告诉我/i.test(sentence)) return undefined
  return speaksOfActing(sentence) || chinese.test(sentence) || others.test(sentence)
    ? { kind: 'promise' }
    : undefined
}

function speaksOfActing(sentence: string): boolean {
  const begun = opening.exec(sentence)?.[0]
  return begun !== undefined && verb.test(sentence.slice(begun.length))
}

/** Without marks of lists and emphasis. */
const plain = (line: string): string =>
  line
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/^[*_#\s]+|[*_]+$/g, '')
    .replace(/^(?:Thought|思考)[:：]\s*/i, '')

/** A block at the end, in a shell's language, that is not handed to the person. */
function lastCommand(text: string): string | undefined {
  const found =
    /(^|\n)[ \t]*```(?:bash|sh|shell|zsh|console|shell-session|terminal)[ \t]*\n([\s\S]+?)\n[ \t]*```([\s\S]*)$/.exec(
      text,
    )
  if (!found || found[3]!.trim().length > 120 || /```/.test(found[3]!)) return undefined
  const around = text.slice(0, found.index) + found[3]
  if (
    around.length > 600 ||
    /\byou(?:r|'ll)?\b|\?|你|您|请|\bto (?:install|run|start|use|build|stop)\b|\b(?:usage|example|install(?:ation)?|run it)\b/i.test(
      around,
    )
  )
    return undefined
  const command = found[2]!
    .split('\n')
    .map(line => line.replace(/^\s*\$ /, ''))
    .find(line => line.trim() !== '' && !line.trim().startsWith('#'))
  return command?.trim()
}
