# Completion of bash for iuvod: commands, options and variants, as the program's own --help tells them.
_iuvod() {
	local program=${COMP_WORDS[0]} now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= word helped row
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* ]] || { command=$word; break; }
	done
	COMPREPLY=()
	if [[ -z $command ]]; then
		COMPREPLY=($(compgen -W "$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p') --help --version" -- "$now"))
		return
	fi
	helped=$("$program" "$command" --help 2>/dev/null) || return
	row=$(sed -n "s/^  $before \([A-Z][A-Z:]*\)\( .*\)*$/\1/p" <<<"$helped")
	case $before:$row in
	--*:FILE)
		COMPREPLY=($(compgen -f -- "$now"))
		;;
	--*:LEVEL)
		COMPREPLY=($(compgen -W "$(sed -n "s/^  $before LEVEL *\(.*\) (.*/\1/p" <<<"$helped" | tr -d ,)" -- "$now"))
		COMPREPLY=(${COMPREPLY[@]/#or})
		;;
	--ladder:*)
		COMPREPLY=($(compgen -W "$(sed -n 's/^Variants: //p' <<<"$helped")" -- "$now"))
		;;
	--*:?*) ;;
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
