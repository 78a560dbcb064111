/** Who is at the browser. */
package palyra.console.internal.session;
