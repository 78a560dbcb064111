/** Requests and responses: authorization, bounds, errors, event streams. */
package palyra.transport.openai.internal.http;
