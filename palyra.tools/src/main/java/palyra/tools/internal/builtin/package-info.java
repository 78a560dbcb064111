/** The tools that every gateway has. */
package palyra.tools.internal.builtin;
