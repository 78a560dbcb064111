/** What models are told about where their commands and file tools work. */
package palyra.sandbox.internal.environment;
