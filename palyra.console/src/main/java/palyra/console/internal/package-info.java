/** The web console: pages, panels, sessions and the event stream. */
package palyra.console.internal;
