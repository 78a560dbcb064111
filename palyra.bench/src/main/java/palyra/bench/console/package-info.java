/** The web console and the OpenAI-compatible server, as browsers and clients meet them. */
package palyra.bench.console;
