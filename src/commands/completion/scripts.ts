// The scripts that shells load. Each asks Almanac for the next words: one per line, followed by a tab and its
// description; or `:file` or `:folder`, which the shell lists itself.

export const scripts = {
  // Works from bash 3.2 on, without the package bash-completion.
  bash: `# Completion of almanac for bash. Try it with
#   source <(almanac completion bash)
# and put that line into ~/.bashrc to keep it.

_almanac() {
  local typed="\${COMP_WORDS[COMP_CWORD]}" word joined='' i
  local line=()
  COMPREPLY=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # Bash splits a word at these: --format=json, tag:board, owner:@acme/finance.
    if [[ "$joined" == *[:=@] || "$joined" == --* && "$word" == =* || "$joined" == [!-]* && "$word" == [:@]* ]]; then
      joined="$joined$word"
      line[\${#line[@]}-1]="$joined"
    else
      joined="$word"
      line+=("$word")
    fi
  done
  # It replaces only what follows the last of these.
  case "$typed" in *[!:=@]*) ;; *) typed='' ;; esac
  while IFS=$'\\t' read -r word _; do
    case "$word" in
      :folder) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$typed")) ;;
      :file) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$typed")) ;;
      *) COMPREPLY+=("\${word#"\${joined%"$typed"}"}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" complete-line -- "\${line[@]}" 2>/dev/null)
}

complete -F _almanac almanac
`,
  zsh: `#compdef almanac
# Completion of almanac for zsh. Try it with
#   source <(almanac completion zsh)
# To keep it, write it to a file _almanac in a folder of $fpath.

_almanac() {
  local line name files tab=$'\\t'
  local -a offered
  for line in \${(f)"$("\${words[1]}" complete-line -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
    name="\${line%%$tab*}"
    case "$name" in
      :folder) files='_files -/' ;;
      :file) files=_files ;;
      # In what _describe reads, a backslash is an escape, and a colon ends the word.
      *) offered+=("\${name//:/\\\\:}\${\${\${line#"$name"}//\\\\/\\\\\\\\}/$tab/:}") ;;
    esac
  done
  (( $#offered )) && _describe -t words word offered
  [[ -n "$files" ]] || return
  [[ "\${words[CURRENT]}" == --*=* ]] && compset -P '*='
  \${=files}
}

if [[ "$funcstack[1]" == _almanac ]]; then
  _almanac "$@"
else
  compdef _almanac almanac
fi
`,
  fish: `# Completion of almanac for fish. Try it with
#   almanac completion fish | source
# and write it to ~/.config/fish/completions/almanac.fish to keep it.

function __almanac
    set -l typed (commandline -ct)
    set -l words (commandline -opc) "$typed"
    set -l option (string match -r -- '^--[^=]+=' "$typed")
    set -l path (string replace -- "$option" '' "$typed")
    for line in ($words[1] complete-line -- $words[2..] 2>/dev/null)
        switch $line
            case :folder
                string join \\n -- "$option"(__fish_complete_directories "$path")
            case :file
                string join \\n -- "$option"(__fish_complete_path "$path")
            case '*'
                echo -- $line
        end
    end
end

complete -c almanac -f -a '(__almanac)'
`,
} as const;
