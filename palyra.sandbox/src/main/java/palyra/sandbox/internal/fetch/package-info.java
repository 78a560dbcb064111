/** The tool that fetches from the web. */
package palyra.sandbox.internal.fetch;
