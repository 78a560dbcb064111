/** Requests, routes, headers, templates and assets of the console. */
package palyra.console.internal.web;
