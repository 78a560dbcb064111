/** Writes what runs answer in the client's form. */
package palyra.transport.openai.internal.answer;
