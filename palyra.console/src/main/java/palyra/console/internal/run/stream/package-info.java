/** The one event stream of each browser tab. */
package palyra.console.internal.run.stream;
