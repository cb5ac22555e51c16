# Completion of bash for iuvod: commands, options and variants, as the program's own --help tells them.
_iuvod() {
	local program=${COMP_WORDS[0]} now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= word helped row allowed
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* ]] || { command=$word; break; }
	done
	COMPREPLY=()
	if [[ -z $command ]]; then
		COMPREPLY=($(compgen -W "$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p') --help --version" -- "$now"))
		return
	fi
	helped=$("$program" "$command" --help 2>/dev/null) || return
	# The columns of --help=table: option, argument, variable, name in a file, default, what is allowed, help.
	row=$("$program" "$command" --help=table | awk -F '\t' -v option="$before" '$1 == option { print $2 }')
	allowed=$("$program" "$command" --help=table | awk -F '\t' -v option="$before" '$1 == option { print $6 }')
	case $before:$row in
	--*:FILE)
		COMPREPLY=($(compgen -f -- "$now"))
		;;
	--ladder:*)
		COMPREPLY=($(compgen -W "$(sed -n 's/^Variants: //p' <<<"$helped")" -- "$now"))
		;;
	--*:?*)
		[[ $allowed == "one of "* ]] && COMPREPLY=($(compgen -W "$(tr -d , <<<"${allowed#one of }")" -- "$now"))
		;;
	*)
		if [[ $now == -* ]]; then
			COMPREPLY=($(compgen -W "$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' <<<"$helped")" -- "$now"))
		else
			COMPREPLY=($(compgen -W "$(sed -n 's/^Variants: //p' <<<"$helped")" -- "$now"))
			[[ $helped == *"[OPTION]... FILE"* ]] && COMPREPLY=($(compgen -f -- "$now"))
		fi
		;;
	esac
}
complete -o filenames -F _iuvod iuvod
