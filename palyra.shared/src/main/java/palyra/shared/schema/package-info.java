/** JSON Schemas of tools, with bounds on what checking a value may cost. */
package palyra.shared.schema;
