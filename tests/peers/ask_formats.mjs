// The calls that npm's clients hear: node ask_formats.mjs URL MODEL FOLDER, where FOLDER has node_modules.
// Standard input: {"tools": [...], "said": [...]}. Standard output: for each thing said, what openai and ai heard.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [url, model, folder] = process.argv.slice(2);
const from = createRequire(`${folder}/x.js`);
const { OpenAI } = from("openai");
const { streamText, generateText, tool, jsonSchema } = await import(pathToFileURL(from.resolve("ai")));
const { createOpenAICompatible } = await import(pathToFileURL(from.resolve("@ai-sdk/openai-compatible")));
const { tools, said } = JSON.parse(readFileSync(0, "utf8"));
const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
const provider = createOpenAICompatible({ name: "toolmend", baseURL: url });
const own = Object.fromEntries(
  tools.map(({ function: f }) => [f.name, tool({ description: f.name, inputSchema: jsonSchema(f.parameters) })]),
);
const bare = (calls) => calls.map((call) => [call.toolName, call.input]);
const heard = [];
for (const content of said) {
  const messages = [{ role: "user", content }];
  const stream = client.chat.completions.stream({ model, messages, tools });
  const message = (await stream.finalChatCompletion()).choices[0].message;
  const calls = (message.tool_calls ?? []).map((call) => [call.function.name, JSON.parse(call.function.arguments)]);
  const whole = await generateText({ model: provider(model), prompt: content, tools: own });
  const pieces = streamText({ model: provider(model), prompt: content, tools: own });
  heard.push({ openai: calls, whole: bare(await whole.toolCalls), stream: bare(await pieces.toolCalls) });
}
console.log(JSON.stringify(heard));
