/** Reads what clients ask. */
package palyra.transport.openai.internal.ask;
