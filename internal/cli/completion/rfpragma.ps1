# Completion of rfpragma in PowerShell. The command itself knows what may follow; this asks it.
Register-ArgumentCompleter -Native -CommandName rfpragma -ScriptBlock {
    param($current, $line, $cursor)
    $words = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor -or $_.Extent.Text -ne $current } | ForEach-Object { $_.Extent.Text })
    $last = if ($current) { $current } else { '""' }
    $answers = @(& $words[0] completion words -- @($words | Select-Object -Skip 1) $last 2>$null)
    if ($answers[0] -eq 'files' -or $answers[0] -eq 'folders') { return } # PowerShell completes these
    $answers | Select-Object -Skip 1 | ForEach-Object {
        $text, $about = $_ -split "`t", 2
        if (-not $about) { $about = $text }
        $insert = if ($text -match '[\s''"$;&|<>(){}]') { "'" + ($text -replace "'", "''") + "'" } else { $text }
        [System.Management.Automation.CompletionResult]::new($insert, $text, 'ParameterValue', $about)
    }
}
