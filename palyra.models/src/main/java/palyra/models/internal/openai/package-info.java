/** Servers that speak the chat completions API of OpenAI. */
package palyra.models.internal.openai;
