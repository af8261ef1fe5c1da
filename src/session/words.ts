/** What a session says to the model by itself. */
import errors from '../../prompts/errors.md'
import { fill, sections } from '../text/fill.ts'

export const answerForm = (schema: object): string =>
  fill(sections(errors, ['answer_form']).answer_form, { schema: JSON.stringify(schema) })
