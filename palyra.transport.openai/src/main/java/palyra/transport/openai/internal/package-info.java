/** Chat completions and responses over HTTP. */
package palyra.transport.openai.internal;
