// The values that the front door takes and gives.
@_exported public import CatalogComparison
@_exported public import Diagnostics
@_exported public import MigrationExecution
@_exported public import MigrationPlanning
@_exported public import ModelLoading
@_exported public import ModelMapping
@_exported public import ObjectModel
@_exported public import PostgresClient
@_exported public import SQLSyntax
