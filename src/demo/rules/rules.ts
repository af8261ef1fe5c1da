/** The model behind `gopi --demo`: a script that understands a handful of requests, and says that it is one. */
import type { DemoModel } from '../reply.ts'
import { createFile, replaceText } from './change.ts'
import { gitTask } from './git.ts'
import { describeProject, findFiles, readFile, searchText } from './look.ts'
import { explainFailure, runCommand } from './run.ts'
import { readScene, type Scene } from './scene.ts'
import { admit, introduce } from './talk.ts'
import { advance, type Desk, openDesk, type Skill, type Task } from './task.ts'
import { firstMatch, plainWords } from './words.ts'
import { writeMove } from './write.ts'

/** The first that understands gets the words: the narrow ones stand before the wide ones. */
const SKILLS: readonly Skill[] = [
  replaceText,
  createFile,
  explainFailure,
  runCommand,
  describeProject,
  readFile,
  findFiles,
  searchText,
  introduce,
]

/** A model that needs no script: it answers from the words and from what its calls brought. */
export function rules(): DemoModel {
  return request => {
    const scene = readScene(request)
    const desk = openDesk(scene)
    return writeMove(advance(understand(scene, desk), scene.results, desk), scene, request.format)
  }
}

function understand({ words, readings }: Scene, desk: Desk): Task {
  const git = gitTask(words, desk)
  if (git) return git
  for (const reading of readings) {
    for (const { phrases, task } of SKILLS) {
      const found = firstMatch(plainWords(reading), phrases)
      if (found) return task(found, desk)
    }
  }
  return admit(desk)
}
