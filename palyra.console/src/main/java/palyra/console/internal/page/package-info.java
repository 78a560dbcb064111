/** The console's own pages. */
package palyra.console.internal.page;
