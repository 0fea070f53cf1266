// The survey's questions as the server lists them.

export interface Question {
  name: string; // 'feel' or 'age'
  label: string;
  answers: { key: string; label: string }[];
}

type Answers = { key: string; label: string }[];
type Wire = {
  questions?: { name?: string; key?: string; label?: string; text?: string; answers?: Answers }[];
};

export function questionsFrom(answer: unknown): Question[] {
  const { questions = [] } = answer as Wire;
  return questions.map((question) => ({
    name: question.name ?? question.key ?? '',
    label: question.label ?? question.text ?? '',
    answers: question.answers ?? [],
  }));
}
