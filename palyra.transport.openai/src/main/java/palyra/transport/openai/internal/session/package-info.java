/** Which session a request goes on with. */
package palyra.transport.openai.internal.session;
