// A loop of calls by the openai npm package: node ask_openai.mjs URL MODEL FOLDER, where FOLDER has node_modules.
// Standard input: {"tools": [...], "said": [...]}. Standard output: the calls as they were made, and the last words.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [url, model, folder] = process.argv.slice(2);
const { OpenAI } = createRequire(`${folder}/x.js`)("openai");
const { tools, said } = JSON.parse(readFileSync(0, "utf8"));
const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
const messages = [], calls = [];
let words = "";
for (const text of said) {
  messages.push({ role: "user", content: text });
  for (let round = 0; round < 8; round++) {
    const stream = client.chat.completions.stream({ model, messages, tools });
    const message = (await stream.finalChatCompletion()).choices[0].message;
    messages.push(message);
    words = message.content;
    if (!message.tool_calls?.length) break;
    for (const call of message.tool_calls) {
      calls.push(JSON.parse(call.function.arguments));
      messages.push({ role: "tool", tool_call_id: call.id, content: "done" });
    }
  }
}
console.log(JSON.stringify({ calls, words }));
